"""Words of models as statements about data: where a sentence ends, what compares, what is a number in words."""
