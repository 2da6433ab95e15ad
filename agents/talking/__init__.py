"""How any agent talks: its request, its conversation with tools, its reviews, what is shortened where it does not fit."""
