import { z } from 'zod'
import { defineEndpoint } from '../endpoint.ts'
import { jobIdSchema, waitReasons } from '../tools/jobs.ts'

const processSchema = z.object({
  host: z.string(),
  pid: z.number(),
  version: z.string(),
  startedAt: z.string(),
  seenAt: z.string(),
  /** It gave no sign of life for longer than it may; forgotten an hour after the last. */
  silent: z.boolean(),
})

const taskStates = ['asked', 'waiting', 'running', 'ending', 'gone'] as const

/** A disk as the portal looks at it. */
export const diskSchema = z.object({
  folder: z.string(),
  freeBytes: z.number(),
  totalBytes: z.number(),
  /** Kept free for the database; a disk with less than this is full. */
  reserveBytes: z.number(),
  full: z.boolean(),
})

const kept = z.object({ count: z.number(), bytes: z.number() })

/** Parts of the whole, each of which is asked for by itself. */
export const systemParts = ['servers', 'workers', 'cluster', 'queue', 'database', 'storage'] as const
export type SystemPart = (typeof systemParts)[number]

export const getSystem = defineEndpoint({
  method: 'GET',
  path: '/api/admin/system/',
  summary: 'Servers, workers, cluster, queue, database and storage as they are now',
  tag: 'admin',
  access: 'admin',
  input: z.object({}),
  output: z.object({
    /** When it was asked. */
    at: z.string(),
    /** Parts that could not be asked now; they are null. */
    unanswered: z.array(z.enum(systemParts)),
    servers: z
      .array(
        processSchema.extend({
          /** Where it listens. */
          address: z.string().nullable(),
          /** It was told to stop and answers on for a while. */
          draining: z.boolean(),
        }),
      )
      .nullable(),
    workers: z
      .array(
        processSchema.extend({
          /** Jobs at a time; 0 where it only hands them to a cluster. */
          places: z.number(),
          jobs: z.array(z.object({ id: jobIdSchema, tool: z.string(), startedAt: z.string() })),
        }),
      )
      .nullable(),
    /** Null too where jobs are not handed to a cluster. */
    cluster: z
      .array(
        z.object({
          /** The scheduler's own id. */
          id: z.string().nullable(),
          job: jobIdSchema,
          tool: z.string(),
          state: z.enum(taskStates),
          /** '' while it waits. */
          node: z.string(),
          /** Why it waits, and the scheduler's word for it. */
          reason: z.enum(waitReasons),
          word: z.string(),
          /** Why the scheduler did not take it. */
          failure: z.string().nullable(),
          askedAt: z.string(),
          runningAt: z.string().nullable(),
        }),
      )
      .nullable(),
    /** Tools that have jobs waiting, running or ended within a day. */
    queue: z
      .array(
        z.object({
          tool: z.string(),
          waiting: z.number(),
          running: z.number(),
          oldestWaitMs: z.number().nullable(),
          doneInHour: z.number(),
          doneInDay: z.number(),
          failedInHour: z.number(),
          failedInDay: z.number(),
        }),
      )
      .nullable(),
    database: z
      .object({
        kind: z.enum(['private', 'external']),
        version: z.string(),
        /** Of the server that takes writes; null where it is reached by a socket. */
        address: z.string().nullable(),
        bytes: z.number(),
        /** Connections that the server allows, and those that are open, of other databases and programs too. */
        limit: z.number(),
        connectionCount: z.number(),
        /** Those of the portal: which process has them, and for what ('' for all else). */
        connections: z.array(z.object({ role: z.string(), purpose: z.string(), count: z.number() })),
        /** What the user of the database may not see is null. */
        standbys: z.array(
          z.object({
            name: z.string().nullable(),
            address: z.string().nullable(),
            state: z.string().nullable(),
            sync: z.string().nullable(),
            lagMs: z.number().nullable(),
          }),
        ),
      })
      .nullable(),
    /** What lies on the disks of the server that answers, and in an object store. */
    storage: z
      .object({
        disks: z.array(diskSchema),
        /** Null where files lie in the data directory alone. */
        store: z
          .object({
            name: z.string(),
            answers: z.boolean(),
            /** What files of the store take in the data directory of the server that answers, at the last sweep; null before it. */
            cacheBytes: z.number().nullable(),
            cacheMaxBytes: z.number(),
          })
          .nullable(),
        bundles: kept,
        /** Results of jobs; bytes as they were counted when each ended. */
        results: kept,
      })
      .nullable(),
  }),
})
