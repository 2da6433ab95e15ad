"""Materials: chosen, as papers state them, prepared, checked."""
