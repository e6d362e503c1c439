import { structureEnding, structureNames } from '../../../bio/structure/structure-file.ts'
import { says } from '../annotator.ts'
import { defineRecogniser, type Finding, type InputFile } from '../recogniser.ts'

const what = { en: 'structures of proteins', zh: '蛋白质结构' }

/**
 * By its name, and the first record of a PDB file or the data block of mmCIF. Small molecules have items of CIF without a category, and
 * files of structure factors `_refln`, beside which the `_reflns` of a model sums up how it was measured.
 */
const isStructure = (file: InputFile): boolean =>
  structureEnding.test(file.name) &&
  (says(file, /^(HEADER|TITLE|COMPND|REMARK|CRYST1|MODEL|ATOM) /) || says(file, /^data_\S*/)) &&
  !says(file, /^_(chemical_formula|cell_length|refln\.)/)

/** Of UniProt, as its help on accession numbers has them: gene models may hold them as cross-references, and do not go by them. */
const accession = /^([OPQ][0-9][A-Z0-9]{3}[0-9]|[A-NR-Z][0-9]([A-Z][A-Z0-9]{2}[0-9]){1,2})(-\d+)?$/

/** Genes by which the assembly is found; nothing where accessions are all that the files go by. */
const genesOf = (files: readonly InputFile[]): { genes?: string[][] } => {
  const named = files.map(({ name }) => structureNames(name)).filter(([first]) => !accession.test(first!))
  return named.length === 0 ? {} : { genes: named }
}

/** Structures of proteins, named by gene, transcript, protein or accession of UniProt: a folder of many is named as one. */
export default defineRecogniser({
  id: 'structures',
  title: { en: 'Protein structures', zh: '蛋白质结构' },
  order: 390,
  recognise: (files, { all }) => {
    const folders = new Map<string, InputFile[]>()
    for (const file of files.filter(isStructure)) {
      const own = folders.get(file.folder)
      if (own === undefined) folders.set(file.folder, [file])
      else own.push(file)
    }
    const findings: Finding[] = []
    for (const [folder, own] of folders) {
      const [first, ...others] = own
      const shared = { what, take: 'entry', group: null, entry: 'structures', list: true, scope: 'assembly' } as const
      // Of a folder that has other files of these endings each structure is named by itself.
      const isWhole =
        others.length > 0 &&
        all.filter((file) => file.folder === folder && structureEnding.test(file.name)).length === own.length
      if (isWhole)
        findings.push({
          ...shared,
          file: first!,
          value: { folder: { absolute: first!.absolute.slice(0, -first!.name.length - 1) } },
          also: others.map((file) => ({ file, what })),
          ...genesOf(own),
        })
      else for (const file of own) findings.push({ ...shared, file, value: file, ...genesOf([file]) })
    }
    return { findings }
  },
})
