/** Words that regulators are known by, with who found them. They are facts of the literature, written here as IUPAC words. */
interface KnownWord {
  name: string
  word: string
}

/**
 * Mycobacteria: the box of DosR, which hypoxia and nitric oxide switch on (Park et al. 2003, Mol Microbiol 48:833); that of KstR, the
 * repressor of cholesterol breakdown (Kendall et al. 2007, Mol Microbiol 65:684); the SOS box of LexA (Davis et al. 2002, J Bacteriol
 * 184:3287).
 */
const mycobacterial: readonly KnownWord[] = [
  { name: 'DosR', word: 'TTSGGGACTWWAGTCCCSAA' },
  { name: 'KstR', word: 'TNNAACNNGTTNNA' },
  { name: 'LexA', word: 'TCGAACN{4}GTTCGA' },
]

/**
 * Fungi: the TATA box as yeast has it (Basehoar et al. 2004, Cell 116:699), the GATA word of nitrogen and light regulators (Scazzocchio
 * 2000, Curr Opin Microbiol 3:126), the word of Gcn4 and its relatives (Hill et al. 1986, Science 234:451), the E-box of Cbf1 (Bram
 * and Kornberg 1987, Mol Cell Biol 7:403).
 */
const fungal: readonly KnownWord[] = [
  { name: 'TATA-box', word: 'TATAWAWR' },
  { name: 'GATA', word: 'HGATAR' },
  { name: 'Gcn4', word: 'TGASTCA' },
  { name: 'Cbf1', word: 'RTCACRTG' },
]

/** Saccharomyces: besides those, two CGG half-sites eleven bases apart, where Gal4 sits (Marmorstein et al. 1992, Nature 356:408). */
const saccharomycetal: readonly KnownWord[] = [{ name: 'Gal4', word: 'CGGN{11}CCG' }, ...fungal]

/** Genes of Saccharomyces that Gal4 binds before in galactose (Ren et al. 2000, Science 290:2306). */
const galactoseGenes = ['GAL1', 'GAL2', 'GAL3', 'GAL7', 'GAL10', 'GCY1', 'PCL10', 'FUR4', 'MTH1']

/** Genes of M. tuberculosis that are not induced by hypoxia without DosR (Park et al. 2003), by the names of H37Rv. */
const hypoxiaGenes = [
  ...['Rv0079', 'Rv0569', 'Rv0574c', 'Rv1733c', 'Rv1737c', 'Rv1738', 'Rv1996', 'Rv2005c', 'Rv2007c'],
  ...['Rv2030c', 'Rv2031c', 'Rv2032', 'Rv2623', 'Rv2626c', 'Rv2627c', 'Rv2628', 'Rv3130c', 'Rv3134c'],
]

/** Genes in which the words of the example are known to stand, by symbol; none where the literature names none for the genus. */
export const exampleGenes = (speciesName: string): readonly string[] =>
  isSaccharomyces(speciesName) ? galactoseGenes : /^Mycobacterium tuberculosis\b/.test(speciesName) ? hypoxiaGenes : []

/**
 * Where nothing closer is known: the TATA box of eukaryotes and the hexamers of bacterial sigma 70 (Hawley and McClure 1983, Nucleic
 * Acids Res 11:2237).
 */
const general: readonly KnownWord[] = [
  { name: 'TATA-box', word: 'TATAWAWR' },
  { name: 'sigma70', word: 'TTGACAN{17}TATAAT' },
]

const isSaccharomyces = (speciesName: string): boolean => /^Saccharomyces\b/.test(speciesName)

const expand = (word: string): string =>
  word.replace(/([A-Z])\{(\d+)\}/g, (_, letter: string, count: string) => letter.repeat(Number(count)))

/** Words for the example of a species, a name and a word a line. `exampleConsensus('Candida albicans')` begins with `TATA-box TATAWAWR`. */
export const exampleConsensus = (speciesName: string): string => {
  const words = /mycobact/i.test(speciesName)
    ? mycobacterial
    : isSaccharomyces(speciesName)
      ? saccharomycetal
      : /saccharomyces|candida|ustilago|zymoseptoria|aspergillus|fusarium|neurospora|magnaporthe|pyricularia|cryptococcus/i.test(
            speciesName,
          )
        ? fungal
        : general
  return words.map(({ name, word }) => `${name} ${expand(word)}`).join('\n')
}
