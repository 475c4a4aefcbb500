"""List the contacts of a file."""

import sys
from pathlib import Path

from contacts import read_contacts

for contact in read_contacts(Path(sys.argv[1]).read_bytes()):
    print(f"{contact['name']} <{contact['mail']}>")
