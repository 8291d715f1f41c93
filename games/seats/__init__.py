"""Who may: the phone's token, the seats, the hosts, who asks to be let in."""
