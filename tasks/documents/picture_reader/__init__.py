"""The program that decodes a picture, run in the sandbox: it knows Pillow and nothing of ours."""
