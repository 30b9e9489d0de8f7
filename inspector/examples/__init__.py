"""Programs that show how the library is used; they need no network and no model."""
