/** Starts the dashboard: queries, toasts and router. */
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './data/api.ts'
import { createAppRouter } from './router.tsx'
import { Toasts } from './ui/toast.tsx'

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <Toasts>
        <RouterProvider router={createAppRouter()} />
      </Toasts>
    </QueryClientProvider>
  </StrictMode>,
)
