"""What the screens are fed with: protocols, and the rows that come through them; a module for each source.

Screens open no file and know no folder; whoever starts them hands in these sources. All methods may
read files and raise `InspectorError` with a sentence for people; those that do are called in worker
threads.
"""
