// Structures computed here, of no real protein: an ideal alpha helix.

const three: Record<string, string> = {
  ...{ A: 'ALA', R: 'ARG', N: 'ASN', D: 'ASP', C: 'CYS', Q: 'GLN', E: 'GLU', G: 'GLY', H: 'HIS', I: 'ILE' },
  ...{ L: 'LEU', K: 'LYS', M: 'MET', F: 'PHE', P: 'PRO', S: 'SER', T: 'THR', W: 'TRP', Y: 'TYR', V: 'VAL' },
}

/** Backbone of an ideal helix: radius in Å, turn in degrees from the alpha carbon, rise in Å from it. */
const backbone = [
  ['N', 1.55, -27.6, -0.87],
  ['CA', 2.29, 0, 0],
  ['C', 1.66, 26.1, 1.07],
  ['O', 2.03, 19.7, 2.28],
] as const

interface HelixAtom {
  name: string
  residue: string
  number: number
  place: [number, number, number]
  bFactor: number
}

/** 100 degrees and 1.5 Å a residue (Pauling, Corey and Branson 1951). */
const helixAtoms = (sequence: string, first: number, bFactor: (index: number) => number): HelixAtom[] =>
  [...sequence].flatMap((letter, index) =>
    backbone.map(([name, radius, turn, rise]): HelixAtom => {
      const angle = ((index * 100 + turn) * Math.PI) / 180
      const place: HelixAtom['place'] = [radius * Math.cos(angle), radius * Math.sin(angle), index * 1.5 + rise]
      return { name, residue: three[letter] ?? 'UNK', number: first + index, place, bFactor: bFactor(index) }
    }),
  )

interface HelixOptions {
  chain?: string
  /** Number of the first residue. */
  first?: number
  bFactor?: (index: number) => number
  title?: string
}

export const helixPdb = (
  sequence: string,
  { chain = 'A', first = 1, bFactor = () => 20, title = 'MADE HELIX' }: HelixOptions = {},
): string =>
  [
    `TITLE     ${title}`,
    ...helixAtoms(sequence, first, bFactor).map(
      ({ name, residue, number, place, bFactor: b }, index) =>
        `ATOM  ${String(index + 1).padStart(5)}  ${name.padEnd(3)} ${residue} ${chain}${String(number).padStart(4)}    ${place
          .map((one) => one.toFixed(3).padStart(8))
          .join('')}  1.00${b.toFixed(2).padStart(6)}          ${name[0]!.padStart(2)}`,
    ),
    'TER',
    'END',
    '',
  ].join('\n')

const atomColumns =
  'group_PDB id type_symbol label_atom_id label_alt_id label_comp_id label_asym_id label_entity_id label_seq_id pdbx_PDB_ins_code Cartn_x Cartn_y Cartn_z occupancy B_iso_or_equiv auth_seq_id auth_asym_id pdbx_PDB_model_num'

/** With `predicted`, what AlphaFold's files say of their confidence. */
export const helixCif = (
  sequence: string,
  {
    chain = 'A',
    first = 1,
    bFactor = () => 90,
    title = 'Made helix',
    predicted = true,
  }: HelixOptions & { predicted?: boolean } = {},
): string =>
  [
    'data_made',
    '#',
    `_struct.title '${title}'`,
    ...(predicted ? ['loop_', '_ma_qa_metric.id', '_ma_qa_metric.name', '1 pLDDT'] : []),
    '#',
    'loop_',
    ...atomColumns.split(' ').map((name) => `_atom_site.${name}`),
    ...helixAtoms(sequence, first, bFactor).map(({ name, residue, number, place, bFactor: b }, index) =>
      [
        ...['ATOM', index + 1, name[0]!, name, '.', residue, chain, 1, number - first + 1, '?'],
        ...[...place.map((one) => one.toFixed(3)), '1.0', b.toFixed(2), number, chain, 1],
      ].join(' '),
    ),
    '#',
    '',
  ].join('\n')
