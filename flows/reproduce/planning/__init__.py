"""What is done next: prompts adapted, a plan made and made anew, stages chosen, supervision after each."""
