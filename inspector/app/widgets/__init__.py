"""One widget a file; widgets import no screen."""
