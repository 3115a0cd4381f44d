"""How fast ibforensic is, and how often it is right."""
