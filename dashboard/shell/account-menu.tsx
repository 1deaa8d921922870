/** The account menu: theme, API reference and sign-out. */
import { useQuery } from '@tanstack/react-query'
import { BookOpen, LogOut, Monitor, Moon, Sun } from 'lucide-react'
import { accountPage } from '../addresses.ts'
import { meQuery, queryClient, SERVICE_URL, userApi } from '../data/api.ts'
import { useNavigate } from '../links.tsx'
import { chooseTheme, type Theme, useTheme } from '../look/theme.ts'
import { Menu } from '../ui/menu.tsx'
import { useToast } from '../ui/toast.tsx'
import { navigationTexts } from './texts.ts'

const THEMES: { theme: Theme; icon: typeof Sun }[] = [
  { theme: 'light', icon: Sun },
  { theme: 'dark', icon: Moon },
  { theme: 'system', icon: Monitor },
]

export function useSignOut() {
  const toast = useToast()
  const navigate = useNavigate()
  return async () => {
    const { error } = await userApi.auth.logout()
    if (error) return toast.failed(error)
    await navigate(accountPage('/sign-in'))
    queryClient.clear()
  }
}

export function AccountMenu() {
  const { data: me } = useQuery(meQuery)
  const theme = useTheme()
  const signOut = useSignOut()

  return (
    <div className="mt-3 border-t border-line pt-3">
      <Menu
        align="start"
        trigger={
          <button
            type="button"
            className="flex h-10 w-full items-center gap-2.5 rounded-part px-2.5 text-start text-sm hover:bg-panel"
          >
            <span
              aria-hidden
              className="flex size-6 shrink-0 items-center justify-center rounded-full bg-panel text-xs font-semibold uppercase"
            >
              {me?.email.charAt(0)}
            </span>
            <span className="sr-only">{navigationTexts.account} </span>
            <span className="min-w-0 truncate text-soft">{me?.email}</span>
          </button>
        }
        groups={[
          THEMES.map(({ theme: one, icon: Icon }) => ({
            label: (
              <>
                <Icon aria-hidden /> {navigationTexts.themes[one]}
              </>
            ),
            checked: one === theme,
            onSelect: () => chooseTheme(one),
          })),
          [
            {
              label: (
                <>
                  <BookOpen aria-hidden /> {navigationTexts.apiReference}
                </>
              ),
              onSelect: () => window.open(`${SERVICE_URL}/docs`, '_blank', 'noopener'),
            },
          ],
          [
            {
              label: (
                <>
                  <LogOut aria-hidden /> {navigationTexts.signOut}
                </>
              ),
              onSelect: () => void signOut(),
            },
          ],
        ]}
      />
    </div>
  )
}
