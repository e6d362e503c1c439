import { walkTools } from './tool-walk.ts'

walkTools(0)
