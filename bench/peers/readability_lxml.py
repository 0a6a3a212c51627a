"""readability-lxml over HTML files: as readability.mjs.

    readability_lxml.py LIST
"""

import json
import logging
import sys
import time

import readability

logging.disable(logging.CRITICAL)
with open(sys.argv[1]) as names:
    pages = [open(name.strip(), errors="replace").read() for name in names if name.strip()]
done = 0
start = time.process_time()
for page in pages:
    try:
        document = readability.Document(page)
        done += bool(document.summary() and document.title())
    except Exception:  # a page it cannot do still cost its time
        pass
print(json.dumps({"pages": len(pages), "done": done, "seconds": time.process_time() - start}))
