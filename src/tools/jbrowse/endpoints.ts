import { z } from 'zod'
import { defineEndpoint } from '../../contracts/endpoint.ts'
import { browserConfigSchema } from './browser-config.ts'

export const getBrowserConfig = defineEndpoint({
  method: 'GET',
  path: '/api/tools/jbrowse/config/',
  summary: 'Configuration of JBrowse 2 for one assembly',
  tag: 'tools',
  input: z.object({ assembly: z.string().max(64) }),
  output: browserConfigSchema,
})
