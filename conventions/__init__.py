"""What a deal is worth: conventions as data, the scorer, the sheet, settlement.

`get` and the data modules import nothing that compiles; `conventions.scorer` and `conventions.protocol` do.
"""
