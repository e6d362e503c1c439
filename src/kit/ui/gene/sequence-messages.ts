import { defineMessages } from '../../../contracts/text.ts'

/** Texts of sequences and of what they are called, by themselves: Home does not wait for them. */
export const messages = defineMessages({
  en: {
    'sequence.accessory': 'accessory chromosome',
    'sequence.organelle': 'organelle',
    'sequence.plasmid': 'plasmid',
    'sequence.withRole': '{name} ({role})',
    'sequence.ofRole': '{role}: {names}',
    'sequence.between': '; ',
    'sequence.inItalics': 'In italics: {roles}.',
    'sequence.copy': 'Copy',
    'sequence.copied': 'Sequence copied',
    'sequence.fasta': 'FASTA',
    'sequence.nt': '{count, plural, one {# base} other {# bases}}',
    'sequence.aa': '{count, plural, one {# residue} other {# residues}}',
  },
  zh: {
    'sequence.accessory': '附属染色体',
    'sequence.organelle': '细胞器',
    'sequence.plasmid': '质粒',
    'sequence.withRole': '{name}（{role}）',
    'sequence.ofRole': '{role}：{names}',
    'sequence.between': '；',
    'sequence.inItalics': '斜体表示 {roles}。',
    'sequence.copy': '复制',
    'sequence.copied': '序列已复制',
    'sequence.fasta': 'FASTA',
    'sequence.nt': '{count, number} 个碱基',
    'sequence.aa': '{count, number} 个氨基酸残基',
  },
})
