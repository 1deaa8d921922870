/** Starts the dashboard: the look, the data, the map. */
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api.ts'
import { applyTheme } from './look/theme.ts'
import { createMap } from './map.tsx'
import { Toasts } from './parts/toast.tsx'

applyTheme()

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <Toasts>
        <RouterProvider router={createMap()} />
      </Toasts>
    </QueryClientProvider>
  </StrictMode>,
)
