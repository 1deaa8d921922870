/** Switches a preview between desktop and phone width, and between light and dark mode. A phone shows only its own width. */
import { Monitor, Moon, Smartphone, Sun } from 'lucide-react'
import { emailPreviewTexts } from '../shell/texts.ts'
import { IconButton } from '../ui/button.tsx'

const WIDTHS = [
  { label: emailPreviewTexts.desktop, isPhone: false, icon: Monitor },
  { label: emailPreviewTexts.phone, isPhone: true, icon: Smartphone },
]

export const WidthSwitch = ({ phone, onChange }: { phone: boolean; onChange(phone: boolean): void }) => (
  <div className="flex gap-1 max-sm:hidden">
    {WIDTHS.map(({ label, isPhone, icon: Icon }) => (
      <IconButton
        key={label}
        label={label}
        aria-pressed={phone === isPhone}
        className={phone === isPhone ? 'bg-panel text-ink' : ''}
        onClick={() => onChange(isPhone)}
      >
        <Icon />
      </IconButton>
    ))}
  </div>
)

export const DarkSwitch = ({ dark, onChange }: { dark: boolean; onChange(dark: boolean): void }) => (
  <IconButton label={dark ? emailPreviewTexts.light : emailPreviewTexts.dark} onClick={() => onChange(!dark)}>
    {dark ? <Sun /> : <Moon />}
  </IconButton>
)
