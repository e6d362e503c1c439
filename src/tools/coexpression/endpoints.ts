import { z } from 'zod'
import { defineEndpoint } from '../../contracts/endpoint.ts'

export const getExample = defineEndpoint({
  method: 'GET',
  path: '/api/tools/coexpression/example/',
  summary: 'A gene of an assembly whose expression many others follow closely; null where there is none',
  tag: 'tools',
  input: z.object({ assembly: z.string().max(64) }),
  output: z.object({ gene: z.string().nullable() }),
})
