import { serveTasks } from './tool-work.ts'

serveTasks()
