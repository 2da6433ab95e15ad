"""What every agent is made of, and the models behind them; knows no workflow."""
