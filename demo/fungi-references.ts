import type { Reference } from './reference-entries.ts'

const mafFilter: Reference = {
  key: 'dutheil2014',
  authors: 'Dutheil, Julien Y. and Gaillard, Sylvain and Stukenbrock, Eva H.',
  title: 'MafFilter: a highly flexible and extensible multiple genome alignment files processor',
  journal: 'BMC Genomics',
  year: 2014,
  volume: '15',
  pages: '53',
  doi: '10.1186/1471-2164-15-53',
  keywords: ['multiple alignment', 'software'],
}

export const zymoseptoriaReferences: readonly Reference[] = [
  {
    key: 'goodwin2011',
    authors: "Goodwin, Stephen B. and Ben M'Barek, Sarrah and Dhillon, Braham and others",
    title:
      'Finished genome of the fungal wheat pathogen Mycosphaerella graminicola reveals dispensome structure, chromosome plasticity, and stealth pathogenesis',
    journal: 'PLOS Genetics',
    year: 2011,
    volume: '7',
    number: '6',
    pages: 'e1002070',
    doi: '10.1371/journal.pgen.1002070',
    keywords: ['genome', 'IPO323', 'accessory chromosomes'],
  },
  {
    key: 'stukenbrock2011',
    authors: 'Stukenbrock, Eva H. and Bataillon, Thomas and Dutheil, Julien Y. and others',
    title:
      'The making of a new pathogen: insights from comparative population genomics of the domesticated wheat pathogen Mycosphaerella graminicola and its wild sister species',
    journal: 'Genome Research',
    year: 2011,
    volume: '21',
    pages: '2157--2166',
    doi: '10.1101/gr.118851.110',
    keywords: ['population genomics', 'domestication'],
  },
  {
    key: 'stukenbrock2012',
    authors: 'Stukenbrock, Eva Holtgrewe and Christiansen, Freddy Bugge and Hansen, Troels Toftebjerg and others',
    title:
      'Fusion of two divergent fungal individuals led to the recent emergence of a unique widespread pathogen species',
    journal: 'Proceedings of the National Academy of Sciences of the USA',
    year: 2012,
    volume: '109',
    pages: '10954--10959',
    doi: '10.1073/pnas.1201403109',
    keywords: ['Zymoseptoria pseudotritici', 'hybrid speciation'],
  },
  {
    key: 'blanchette2004',
    authors: 'Blanchette, Mathieu and Kent, W. James and Riemer, Cathy and others',
    title: 'Aligning multiple genomic sequences with the threaded blockset aligner',
    journal: 'Genome Research',
    year: 2004,
    volume: '14',
    pages: '708--715',
    doi: '10.1101/gr.1933104',
    keywords: ['multiple alignment', 'TBA', 'software'],
  },
  mafFilter,
]

export const ustilagoReferences: readonly Reference[] = [
  {
    key: 'kamper2006',
    authors: 'Kämper, Jörg and Kahmann, Regine and Bölker, Michael and others',
    title: 'Insights from the genome of the biotrophic fungal plant pathogen Ustilago maydis',
    journal: 'Nature',
    year: 2006,
    volume: '444',
    pages: '97--101',
    doi: '10.1038/nature05248',
    keywords: ['genome', 'biotrophy', 'secreted effectors'],
  },
  mafFilter,
]
