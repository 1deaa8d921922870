/** Who is signed in, how it looks, and the way out. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { BookOpen, LogOut, Monitor, Moon, Sun } from 'lucide-react'
import { meQuery, person, queryClient, SERVICE_URL } from '../api.ts'
import { chooseTheme, type Theme, useTheme } from '../look/theme.ts'
import { Menu } from './menu.tsx'
import { useToast } from './toast.tsx'

const THEMES: { theme: Theme; words: string; icon: typeof Sun }[] = [
  { theme: 'light', words: 'Light', icon: Sun },
  { theme: 'dark', words: 'Dark', icon: Moon },
  { theme: 'system', words: 'Like the system', icon: Monitor },
]

export function PersonMenu() {
  const { data: me } = useQuery(meQuery)
  const theme = useTheme()
  const toast = useToast()
  const navigate = useNavigate()
  const signOut = async () => {
    const { error } = await person.auth.logout()
    if (error) return toast.failed(error)
    await navigate({ to: '/sign-in' })
    queryClient.clear()
  }

  return (
    <div className="mt-3 border-t border-line pt-3">
      <Menu
        align="start"
        trigger={
          <button
            type="button"
            className="flex h-10 w-full items-center gap-2.5 rounded-part px-2.5 text-left text-sm hover:bg-panel"
          >
            <span
              aria-hidden
              className="flex size-6 shrink-0 items-center justify-center rounded-full bg-panel text-xs font-semibold uppercase"
            >
              {me?.email.charAt(0)}
            </span>
            <span className="sr-only">Account </span>
            <span className="min-w-0 truncate text-soft">{me?.email}</span>
          </button>
        }
        groups={[
          THEMES.map(({ theme: one, words, icon: Icon }) => ({
            words: (
              <>
                <Icon aria-hidden /> {words}
              </>
            ),
            checked: one === theme,
            onPick: () => chooseTheme(one),
          })),
          [
            {
              words: (
                <>
                  <BookOpen aria-hidden /> API reference
                </>
              ),
              onPick: () => window.open(`${SERVICE_URL}/docs`, '_blank', 'noopener'),
            },
          ],
          [
            {
              words: (
                <>
                  <LogOut aria-hidden /> Sign out
                </>
              ),
              onPick: () => void signOut(),
            },
          ],
        ]}
      />
    </div>
  )
}
