import '@fontsource/roboto/400.css'
import '@fontsource/roboto/400-italic.css'
import '@fontsource/roboto/500.css'
import '@fontsource/roboto/500-italic.css'
import '@fontsource/roboto/700.css'
import '@fontsource/roboto/700-italic.css'
import '@fontsource/roboto-mono/400.css'
import '../kit/ui/tokens.css'
import '../kit/ui/kit.css'
import './shell/shell.css'
import { onlineManager, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { setToolLimits } from '../contracts/tools/tool-limits.ts'
import { watchConnection } from '../kit/ui/connection.ts'
import { isConnected, subscribeConnection } from '../kit/ui/connection-state.ts'
import { chosenLocale, currentLocale, LanguageProvider } from '../kit/ui/language.tsx'
import { basePath } from '../kit/ui/request.ts'
import { followSystemTheme } from '../kit/ui/theme.ts'
import { limitSettings } from './portal-settings.ts'
import { startServiceWorker } from './service-worker/client.ts'
import { makeQueryClient } from './shell/query-client.ts'
import { routes } from './shell/routes.tsx'

followSystemTheme()
// Before any tool's screen is read: its form then checks by the deployment's limits.
setToolLimits(limitSettings())

// Questions wait while the connection is lost, instead of failing, and go on by themselves once it is back.
watchConnection()
onlineManager.setEventListener((setOnline) => {
  // It takes for granted that there is a connection until told otherwise, also when it begins to listen anew.
  setOnline(isConnected())
  return subscribeConnection(() => setOnline(isConnected()))
})

const client = makeQueryClient()

const router = createBrowserRouter(routes, { basename: basePath() === '' ? '/' : basePath() })

const root = document.getElementById('root')
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <LanguageProvider locale={currentLocale()} chosen={chosenLocale()}>
        <QueryClientProvider client={client}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </LanguageProvider>
    </StrictMode>,
  )

startServiceWorker()
