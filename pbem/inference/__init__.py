"""What a rule system says for programs that reason from a side's reports.

Exports: `quarry`, enemies that a side looks for; `mind`, worlds and candidates for bots that
search; `style`, other ways in which a side's bot can play.
"""
