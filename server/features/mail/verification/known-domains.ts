/**
 * Known mail domains: providers of personal and of disposable mailboxes, from maintained packages, and forwarding
 * services. 120,000 names, so this is imported only when an address is checked.
 */
import disposableDomains from 'disposable-email-domains/index.json' with { type: 'json' }
import disposableWildcards from 'disposable-email-domains/wildcard.json' with { type: 'json' }
import allProviders from 'email-providers/all.json' with { type: 'json' }
import commonProviders from 'email-providers/common.json' with { type: 'json' }

/** On the list of providers although they offer no mailboxes. */
const NOT_PROVIDERS = new Set(['example.com', 'example.net', 'example.org', 'test.com'])

const disposable: ReadonlySet<string> = new Set(disposableDomains)
/** Every subdomain of these is disposable too. */
const disposableWithSubdomains: ReadonlySet<string> = new Set(disposableWildcards)
const providers: ReadonlySet<string> = new Set(allProviders.filter((domain) => !NOT_PROVIDERS.has(domain)))
const common: ReadonlySet<string> = new Set(commonProviders)

/** Forwarding services that give each user many addresses. No package has such a list. */
const ALIAS_SERVICES = new Set(
  (
    '33mail.com 8alias.com 8shield.net addy.io aleeas.com alias.email anonaddy.com anonaddy.me dralias.com duck.com ' +
    'erine.email forwardemail.net mailer.me mozmail.com opayq.com passfwd.com passinbox.com passmail.com passmail.net ' +
    'privaterelay.appleid.com relay.firefox.com silomails.com simplelogin.co simplelogin.com simplelogin.fr ' +
    'simplelogin.io slmail.me slmails.com spamgourmet.com use.startmail.com'
  ).split(' '),
)

/** The name itself, then its parents: `a.b.example`, `b.example`. */
function* upwards(domain: string): Generator<string> {
  const labels = domain.split('.')
  for (let i = 0; i < labels.length - 1; i++) yield labels.slice(i).join('.')
}

const isUnder = (domain: string, names: ReadonlySet<string>) => [...upwards(domain)].some((name) => names.has(name))

export const isDisposable = (domain: string): boolean =>
  disposable.has(domain) || isUnder(domain, disposableWithSubdomains)

export const isAliasService = (domain: string): boolean => isUnder(domain, ALIAS_SERVICES)

export const isProvider = (domain: string): boolean => providers.has(domain)

export const isCommonProvider = (domain: string): boolean => common.has(domain)

export const isPersonal = (domain: string): boolean => isProvider(domain) && !isDisposable(domain)
