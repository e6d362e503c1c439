#!/usr/bin/python3
"""Reference values of the enrichment of a real gene set, by exact whole-number arithmetic and a propagation of its own.

    python3 reference.py SHARED_DATA/yeast > cell-cycle.json

The set: genes that go with CLN2 (YPL256C, a G1 cyclin) in the alpha-factor and cdc15 series of Spellman et al. 1998
(Pearson's r of at least 0.7 over at least 20 arrays of each pair). The annotation: the yeast GO table; the ontology: go-basic of
2022-07-01, over is_a and part_of. Only Python's standard library is used.
"""
import gzip
import json
import math
import sys
from collections import defaultdict

base = sys.argv[1]


def lines(path):
    with gzip.open(f"{base}/{path}", "rt") as file:
        yield from file


parents, namespace = defaultdict(set), {}
term = None
for line in lines("go/go-basic_from_GO.db_2022-07-01.obo.gz"):
    line = line.strip()
    if line == "[Term]":
        term = None
    elif line.startswith("["):
        term = False
    elif line.startswith("id: ") and term is None:
        term = line[4:]
    elif term and line.startswith("namespace: "):
        namespace[term] = line[11:]
    elif term and line.startswith("is_a: "):
        parents[term].add(line[6:].split()[0])
    elif term and line.startswith("relationship: part_of "):
        parents[term].add(line[22:].split()[0])


def upwards(one, found):
    for parent in parents.get(one, ()):
        if parent not in found:
            found.add(parent)
            upwards(parent, found)
    return found


# The genes of the assembly: what the gene models have.
genes = set()
for line in lines("derived/R64.gff3.gz"):
    cells = line.rstrip("\n").split("\t")
    if len(cells) == 9 and cells[2] == "gene":
        genes.add(dict(pair.split("=", 1) for pair in cells[8].split(";") if "=" in pair)["ID"])

of_term = defaultdict(set)
for line in list(lines("go/yeastGO_ensembl88.tsv.gz"))[1:]:
    gene, go = (line.rstrip("\n").split("\t") + [""])[:2]
    if gene in genes and go in namespace:
        for one in upwards(go, set()) | {go}:
            of_term[one].add(gene)

rows = [line.rstrip("\r\n").split("\t") for line in lines("expression/spellman1998_cellcycle_combined.txt.gz")]
wanted = [at for at, name in enumerate(rows[0]) if name.startswith(("alpha", "cdc15")) and name not in ("alpha", "cdc15")]
series = {row[0]: [float(row[at]) if at < len(row) and row[at] else None for at in wanted] for row in rows[1:]}


def correlation(a, b):
    pairs = [(x, y) for x, y in zip(a, b) if x is not None and y is not None]
    if len(pairs) < 20:
        return 0
    xs, ys = zip(*pairs)
    mx, my = math.fsum(xs) / len(xs), math.fsum(ys) / len(ys)
    top = math.fsum((x - mx) * (y - my) for x, y in pairs)
    bottom = math.sqrt(math.fsum((x - mx) ** 2 for x in xs) * math.fsum((y - my) ** 2 for y in ys))
    return top / bottom if bottom else 0


chosen = sorted(gene for gene in series if gene in genes and correlation(series[gene], series["YPL256C"]) >= 0.7)


def tail(k, n, m, total):
    whole = math.comb(total, n)
    return float_of(sum(math.comb(m, i) * math.comb(total - m, n - i) for i in range(k, min(n, m) + 1)), whole)


def float_of(a, b):
    return a / b


answer = {"genes": chosen, "branches": {}}
for branch in ("biological_process", "molecular_function", "cellular_component"):
    sets = {one: its for one, its in of_term.items() if namespace[one] == branch}
    background = set().union(*sets.values())
    inside = background & set(chosen)
    tests = []
    for one, its in sets.items():
        if 3 <= len(its) <= 2000:
            found = len(its & inside)
            tests.append((one, found, len(its), tail(found, len(inside), len(its), len(background)) if found else 1.0))
    tests.sort(key=lambda test: (test[3], test[0]))
    adjusted, least = {}, 1.0
    for rank in range(len(tests), 0, -1):
        least = min(least, tests[rank - 1][3] * len(tests) / rank)
        adjusted[tests[rank - 1][0]] = least
    answer["branches"][branch] = {
        "background": len(background),
        "set": len(inside),
        "tests": len(tests),
        "terms": [[*test, adjusted[test[0]]] for test in tests if test[1] > 0][:150],
    }
json.dump(answer, sys.stdout, separators=(",", ":"))
print()
