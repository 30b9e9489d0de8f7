"""Everything that imports Textual or Rich."""
