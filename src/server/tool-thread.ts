import { workerData } from 'piscina'
import { openToolThread } from './thread-work.ts'
import type { ThreadSettings } from './tool-pool.ts'

export default openToolThread(workerData as ThreadSettings)
