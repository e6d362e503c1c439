import { walkAccessories, walkTools } from './tool-walk.ts'

walkTools(1)
walkAccessories()
