/** Links and navigation of the router, which accept only addresses of pages that exist (see addresses.ts). */
import {
  Link as RouterLink,
  type LinkProps as RouterLinkProps,
  Navigate as RouterNavigate,
  useNavigate as useRouterNavigate,
} from '@tanstack/react-router'
import { type AnchorHTMLAttributes, useCallback } from 'react'
import type { Address } from './addresses.ts'

type Search = Record<string, string>

interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  to: Address
  activeOptions?: RouterLinkProps['activeOptions']
}

/** The router types parameters by the routes that it is registered with; ours are typed in addresses.ts. */
const untyped = (search: Search | ((before: Search) => Search)) => search as never

export const Link = ({ to, activeOptions, ...rest }: LinkProps) => (
  <RouterLink to={to.to} search={untyped(to.search)} activeOptions={activeOptions} {...rest} />
)

interface NavigateOptions {
  replace?: boolean
  /** Leaves the page even if it has unsaved changes. */
  ignoreBlocker?: boolean
}

export function useNavigate(): (to: Address, options?: NavigateOptions) => Promise<void> {
  const navigate = useRouterNavigate()
  return useCallback((to, options) => navigate({ to: to.to, search: untyped(to.search), ...options }), [navigate])
}

/** Opens another page instead of this one. */
export const Redirect = ({ to }: { to: Address }) => <RouterNavigate to={to.to} search={untyped(to.search)} replace />

/** Changes the parameters of the current page. */
export function useChangeSearch(): (change: (before: Search) => Search, options: NavigateOptions) => void {
  const navigate = useRouterNavigate()
  return (change, options) => void navigate({ to: '.', search: untyped(change), ...options })
}
