/** The brand of the project: what recipients see of it in emails and on public pages. */
import { useQueryClient } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import type { FormEvent } from 'react'
import type { PosthornError, Schemas } from '../../data/api.ts'
import { labelOf } from '../../data/errors.ts'
import { useCanManage } from '../../data/project.ts'
import { lookOf, textColorOn } from '../../editor/look.ts'
import { Problem } from '../../lists/problem.tsx'
import { ImageLibraryButton } from '../../mail/library/image-library.tsx'
import { Card } from '../../shell/page.tsx'
import { RichText } from '../../shell/rich-text.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { ColorInput, isColor } from '../../ui/color-input.tsx'
import { Checkbox, fieldError, Input, Select, TextArea } from '../../ui/field.tsx'
import { ImageButton } from '../../ui/file-button.tsx'
import { texts } from './texts.ts'
import { useProjectForm } from './use-project-form.ts'

type Project = Schemas['Project']
type Style = NonNullable<Project['emailStyle']>
type SocialLink = NonNullable<Project['socialLinks']>[number]

const T = texts.branding

const STYLE_COLORS = ['background', 'contentBackground', 'textColor', 'linkColor'] as const

const LINKS_MAX = 12

/** The fields that show their own error. */
const SHOWN = [
  'postalAddress',
  'logoUrl',
  'brandColor',
  ...STYLE_COLORS.map((name) => `emailStyle.${name}`),
  ...Array.from({ length: LINKS_MAX }, (_, i) => `socialLinks.${i}.url`),
]

const draftOf = ({ postalAddress, postalAddressInContent, logoUrl, brandColor, emailStyle, socialLinks }: Project) => ({
  postalAddress: postalAddress ?? '',
  postalAddressInContent,
  logoUrl: logoUrl ?? '',
  brandColor: brandColor ?? '',
  style: emailStyle ?? {},
  socialLinks: socialLinks ?? [],
})

type Draft = ReturnType<typeof draftOf>

/** Each color and the font is merged separately. */
const draftFrom = (parts: Record<string, unknown>) => {
  const { postalAddress, postalAddressInContent, logoUrl, brandColor, socialLinks, ...style } = parts
  return { postalAddress, postalAddressInContent, logoUrl, brandColor, style, socialLinks } as Draft
}

const LABELS: Record<string, string> = { ...T.colors, font: T.font, darkMode: T.darkMode, socialLinks: T.social }

const isEntered = ({ url }: SocialLink) => url.trim() !== ''

function changesOf({ style, socialLinks, postalAddressInContent, ...plain }: Draft) {
  const given = Object.fromEntries(
    Object.entries(style).filter(([, value]) => value !== undefined && value !== ''),
  ) as Style
  const links = socialLinks.filter(isEntered)
  return {
    ...Object.fromEntries(Object.entries(plain).map(([name, value]) => [name, value || null])),
    postalAddressInContent,
    emailStyle: Object.keys(given).length > 0 ? given : null,
    socialLinks: links.length > 0 ? links : null,
  }
}

export function BrandCard() {
  const canManage = useCanManage()
  const queries = useQueryClient()
  const { project, draft, saved, set, replace, save, dialog, busy, error, problem } = useProjectForm({
    draftOf,
    changesOf,
    partsOf: ({ style, ...plain }) => ({ ...plain, ...style }),
    draftFrom,
    labelOf: (part) => LABELS[part] ?? labelOf(part),
    saved: T.saved,
    onSaved: (project) => {
      replace(draftOf(project), project.updatedAt)
      void queries.invalidateQueries({ queryKey: [project.id, 'preview'] })
      void queries.invalidateQueries({ queryKey: [project.id, 'gallery'] })
    },
  })
  const isChanged = JSON.stringify(changesOf(draft)) !== JSON.stringify(changesOf(saved))
  const saveBranding = (event: FormEvent) => {
    event.preventDefault()
    void save()
  }
  const defaults = lookOf({}, isColor(draft.brandColor) ? draft.brandColor : null)
  return (
    <Card>
      <div className="grid items-start gap-6 pt-1.5 xl:grid-cols-[minmax(0,1fr)_17rem]">
        <form onSubmit={saveBranding} className="max-w-lg">
          <fieldset disabled={!canManage} className="space-y-4">
            <legend className="sr-only">{T.title}</legend>
            <TextArea
              label={T.address}
              hint={T.addressHint}
              rows={3}
              value={draft.postalAddress}
              error={fieldError(error, 'postalAddress')}
              onChange={(event) => set({ postalAddress: event.target.value })}
            />
            <Checkbox
              label={T.addressInContent}
              hint={T.addressInContentHint}
              checked={draft.postalAddressInContent}
              onChange={(event) => set({ postalAddressInContent: event.target.checked })}
            />
            <div className="space-y-2">
              <div>
                <Input
                  label={T.logo}
                  hint={T.logoHint}
                  placeholder="https://"
                  spellCheck={false}
                  value={draft.logoUrl}
                  error={fieldError(error, 'logoUrl')}
                  onChange={(event) => set({ logoUrl: event.target.value })}
                />
              </div>
              {canManage && (
                <div className="flex flex-wrap gap-2">
                  <ImageButton label={T.uploadLogo} onUploaded={(logoUrl) => set({ logoUrl })} />
                  <ImageLibraryButton onChoose={({ url }) => set({ logoUrl: url })} />
                </div>
              )}
            </div>
            <div className="grid grid-cols-2 gap-4">
              <BrandColor
                label={T.color}
                value={draft.brandColor}
                fallback={defaults.buttonColor}
                error={fieldError(error, 'brandColor')}
                onChange={(brandColor) => set({ brandColor })}
              />
              {STYLE_COLORS.map((name) => (
                <BrandColor
                  key={name}
                  label={T.colors[name]}
                  value={draft.style[name] ?? ''}
                  fallback={defaults[name]}
                  error={fieldError(error, `emailStyle.${name}`)}
                  onChange={(value) => set({ style: { ...draft.style, [name]: value } })}
                />
              ))}
              <Select
                label={T.font}
                value={draft.style.font ?? ''}
                options={T.fonts}
                onChange={(event) =>
                  set({ style: { ...draft.style, font: (event.target.value || undefined) as Style['font'] } })
                }
              />
            </div>
            <Select
              label={T.darkMode}
              hint={T.darkModeHint}
              value={String(draft.style.darkMode ?? '')}
              options={T.darkModes}
              onChange={({ target: { value } }) =>
                set({ style: { ...draft.style, darkMode: value === '' ? undefined : value === 'true' } })
              }
            />
            <SocialLinks links={draft.socialLinks} error={error} onChange={(socialLinks) => set({ socialLinks })} />
            {dialog}
            {problem && <Problem error={problem} shown={SHOWN} />}
            {canManage && (
              <Button kind="primary" shortcut="save" type="submit" busy={busy} saved={!isChanged}>
                {T.save}
              </Button>
            )}
          </fieldset>
        </form>
        <BrandPreview name={project.name} draft={draft} />
      </div>
    </Card>
  )
}

interface BrandColorProps {
  label: string
  value: string
  fallback: string
  error: string | undefined
  onChange(value: string): void
}

const BrandColor = ({ label, value, fallback, error, onChange }: BrandColorProps) => (
  <ColorInput label={label} color={isColor(value) ? value : fallback} onPick={onChange}>
    <Input
      label={label}
      hideLabel
      placeholder={fallback}
      spellCheck={false}
      className="font-mono"
      value={value}
      error={error}
      onChange={(event) => onChange(event.target.value)}
    />
  </ColorInput>
)

/** A sample email with the brand, hidden from screen readers. */
function BrandPreview({ name, draft }: { name: string; draft: Draft }) {
  const { postalAddress, logoUrl, brandColor, style, socialLinks } = draft
  const colors = Object.fromEntries(
    STYLE_COLORS.map((color) => [color, isColor(style[color]) ? style[color] : undefined]),
  )
  const look = lookOf(
    { font: style.font, ...colors } as Parameters<typeof lookOf>[0],
    isColor(brandColor) ? brandColor : null,
  )
  const networks = socialLinks.filter(isEntered).map(({ network }) => T.networks[network])
  return (
    <div aria-hidden inert className="max-xl:order-first max-xl:max-w-lg xl:sticky xl:top-6">
      <p className="mb-1.5 text-sm font-medium">{T.preview.title}</p>
      <div
        className="overflow-hidden rounded-part border border-line p-4 text-[0.8125rem]/5"
        style={{ background: look.background, color: look.textColor, fontFamily: look.font }}
      >
        <div className="p-4" style={{ background: look.contentBackground }}>
          <div className="mb-4 flex justify-center">
            {/^https?:/.test(logoUrl) ? (
              <img src={logoUrl} alt="" className="max-h-16 max-w-32" />
            ) : (
              <span className="text-base font-bold wrap-anywhere">{name}</span>
            )}
          </div>
          <p className="mb-1 text-lg/6 font-bold">{T.preview.heading}</p>
          <p className="mb-3">
            <RichText
              text={T.preview.text}
              elements={{
                link: (content) => (
                  <span className="underline" style={{ color: look.linkColor }}>
                    {content}
                  </span>
                ),
              }}
            />
          </p>
          <span
            className="inline-block rounded px-3.5 py-1.5 font-semibold"
            style={{ background: look.buttonColor, color: textColorOn(look.buttonColor) }}
          >
            {T.preview.button}
          </span>
        </div>
        <div className="px-4 pt-3 text-center text-xs wrap-anywhere">
          {networks.length > 0 && <p style={{ color: look.linkColor }}>{networks.join(' · ')}</p>}
          <p className="whitespace-pre-line">{postalAddress}</p>
          <p className="underline">{T.preview.unsubscribe}</p>
        </div>
      </div>
    </div>
  )
}

interface SocialLinksProps {
  links: SocialLink[]
  error: PosthornError | null
  onChange(links: SocialLink[]): void
}

function SocialLinks({ links, error, onChange }: SocialLinksProps) {
  // Links without a URL aren't sent, so errors count only the others.
  const errorAt = (at: number) =>
    isEntered(links[at]!)
      ? fieldError(error, `socialLinks.${links.slice(0, at).filter(isEntered).length}.url`)
      : undefined
  const change = (at: number, changes: Partial<SocialLink>) =>
    onChange(links.map((link, i) => (i === at ? { ...link, ...changes } : link)))
  return (
    <fieldset className="space-y-2">
      <legend className="text-sm font-medium">{T.social}</legend>
      {links.map((link, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: links have no ID and keep their order
        <div key={i} className="flex items-end gap-2 max-sm:flex-wrap max-sm:pb-2">
          <div className="max-sm:flex-1">
            <Select
              label={T.network}
              hideLabel
              value={link.network}
              options={T.networks}
              onChange={(event) => change(i, { network: event.target.value as SocialLink['network'] })}
            />
          </div>
          <div className="flex-1 max-sm:order-last max-sm:basis-full">
            <Input
              label={T.socialUrl}
              hideLabel
              placeholder="https://"
              spellCheck={false}
              value={link.url}
              error={errorAt(i)}
              onChange={(event) => change(i, { url: event.target.value })}
            />
          </div>
          <IconButton label={T.removeLink} onClick={() => onChange(links.filter((_, at) => at !== i))}>
            <Trash2 />
          </IconButton>
        </div>
      ))}
      {links.length < LINKS_MAX && (
        <Button onClick={() => onChange([...links, { network: 'website', url: '' }])}>
          <Plus aria-hidden /> {T.addLink}
        </Button>
      )}
    </fieldset>
  )
}
