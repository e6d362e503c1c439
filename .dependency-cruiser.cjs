// Directions between the rooms of src/: a room may import only rooms listed before it (docs/architecture.en.md).
const rooms = ['bio', 'contracts', 'store', 'database', 'jobs', 'kit', 'tools', 'loader', 'server', 'web']

const upward = rooms.flatMap((room, position) => {
  const later = rooms.slice(position + 1)
  return later.length === 0
    ? []
    : [
        {
          name: `${room}-imports-only-rooms-before-it`,
          comment: `${room}/ stands on what is listed before it; an import of ${later.join(', ')} would close a circle of rooms.`,
          severity: 'error',
          from: { path: `^src/${room}/` },
          to: { path: `^src/(${later.join('|')})/` },
        },
      ]
})

// Within bio/: a folder may import only folders listed before it.
const bioRooms = [
  'text',
  'statistics',
  'sequence',
  'annotation',
  'alignment',
  'structure',
  'graph',
  'comparative',
  'variation',
  'population',
  'association',
  'phylogeny',
  'expression',
  'contacts',
  'repeats',
  'motif',
  'networks',
  'phenotype',
  'literature',
]

const upwardInBio = bioRooms.slice(0, -1).map((room, position) => ({
  name: `bio-${room}-imports-only-folders-before-it`,
  comment: `bio/${room}/ stands on what is listed before it.`,
  severity: 'error',
  from: { path: `^src/bio/${room}/`, pathNot: '\\.test\\.ts$' },
  to: { path: `^src/bio/(${bioRooms.slice(position + 1).join('|')})/` },
}))

module.exports = {
  forbidden: [
    ...upward,
    ...upwardInBio,
    {
      name: 'no-circles',
      comment: 'Two files that import each other can be read, tested and moved only together.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'bio-is-pure',
      comment: 'bio/ runs in the browser, in the server and in tests alike: no input or output, no framework.',
      severity: 'error',
      from: { path: '^src/bio/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['core', 'npm'] },
    },
    {
      name: 'contracts-know-zod-only',
      comment: 'contracts/ is shared by browser, server and command line: zod, and nothing of Node or React.',
      severity: 'error',
      from: { path: '^src/contracts/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['core', 'npm'], pathNot: 'node_modules/zod/' },
    },
    {
      name: 'tools-do-not-know-each-other',
      comment: 'A tool is deleted by deleting its folder; what two tools share belongs to kit/ or bio/.',
      severity: 'error',
      from: { path: '^src/tools/([^/]+)/' },
      to: { path: '^src/tools/', pathNot: '^src/tools/$1/' },
    },
    {
      name: 'browser-does-not-know-the-server',
      comment: 'web/ and screens reach data by contracts over HTTP only; server code must not end in the browser.',
      severity: 'error',
      from: { path: '^src/(web/|kit/ui/|tools/.*\\.tsx$)' },
      to: { path: '^src/(server|loader|store|database|jobs)/|^src/tools/[^/]+/(engine|load|load-portal|routes)\\.ts$' },
    },
    {
      name: 'server-does-not-know-the-browser',
      comment: 'server/ serves the built browser part as files; what both sides compute stands in bio/ or contracts/.',
      severity: 'error',
      from: { path: '^src/(server|loader|jobs|database|store|kit/data)/' },
      to: { path: '^src/(web|kit/ui)/' },
    },
    {
      name: 'testing-is-for-tests',
      comment: 'testing/ is what tests share; nothing of it is shipped.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/testing/|\\.test\\.tsx?$|testbed\\.ts$' },
      to: { path: '^src/testing/' },
    },
    {
      name: 'processes-start-in-two-rooms',
      comment:
        'Engines run in jobs/ within limits, the private PostgreSQL in database/; nothing else starts a process.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(jobs|database|testing)/|\\.test\\.ts$|testbed\\.ts$' },
      to: { path: '^(node:)?child_process$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|node_modules)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.js', '.mjs'] },
  },
}
