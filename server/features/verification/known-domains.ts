/**
 * What is known about mail domains without asking anyone: providers of personal and of disposable mailboxes, from
 * maintained packages, and services that forward to a hidden mailbox. Loaded when first needed: 120,000 names.
 */
import { createRequire } from 'node:module'

const load = createRequire(import.meta.url)

interface Lists {
  disposable: ReadonlySet<string>
  /** Every subdomain of these is disposable too. */
  disposableWithSubdomains: ReadonlySet<string>
  providers: ReadonlySet<string>
  commonProviders: ReadonlySet<string>
}

let lists: Lists | undefined

function known(): Lists {
  lists ??= {
    disposable: new Set(load('disposable-email-domains') as string[]),
    disposableWithSubdomains: new Set(load('disposable-email-domains/wildcard.json') as string[]),
    providers: new Set((load('email-providers/all.json') as string[]).filter((domain) => !NOBODYS.has(domain))),
    commonProviders: new Set(load('email-providers/common.json') as string[]),
  }
  return lists
}

/** In the list of providers because people type them, not because they give out mailboxes. */
const NOBODYS = new Set(['example.com', 'example.net', 'example.org', 'test.com'])

/** Forwarders that give each person many addresses. No package keeps such a list. */
const ALIAS_SERVICES = new Set(
  (
    '33mail.com 8alias.com 8shield.net addy.io aleeas.com alias.email anonaddy.com anonaddy.me dralias.com duck.com ' +
    'erine.email forwardemail.net mailer.me mozmail.com opayq.com passfwd.com passinbox.com passmail.com passmail.net ' +
    'privaterelay.appleid.com relay.firefox.com silomails.com simplelogin.co simplelogin.com simplelogin.fr ' +
    'simplelogin.io slmail.me slmails.com spamgourmet.com use.startmail.com'
  ).split(' '),
)

/** The name itself, then those above it: `a.b.example`, `b.example`. */
function* upwards(domain: string): Generator<string> {
  const labels = domain.split('.')
  for (let i = 0; i < labels.length - 1; i++) yield labels.slice(i).join('.')
}

const isUnder = (domain: string, names: ReadonlySet<string>) => [...upwards(domain)].some((name) => names.has(name))

export const isDisposable = (domain: string): boolean =>
  known().disposable.has(domain) || isUnder(domain, known().disposableWithSubdomains)

export const isAliasService = (domain: string): boolean => isUnder(domain, ALIAS_SERVICES)

export const isProvider = (domain: string): boolean => known().providers.has(domain)

export const isCommonProvider = (domain: string): boolean => known().commonProviders.has(domain)

export const isPersonal = (domain: string): boolean => isProvider(domain) && !isDisposable(domain)
