"""ChatCLI's tool-result management, byte for byte as its code does it (`chatcli.md`).

Its oddities are kept on purpose and named in `quirks`: the point of the `chatcli` policy is to
predict what that program did, not what it should have done.
"""
