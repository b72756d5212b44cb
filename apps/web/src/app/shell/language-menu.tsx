import { Globe } from 'lucide-react'
import { m } from '../../paraglide/messages.js'
import { Menu } from '../../ui/menu.tsx'
import { currentLocale, localeNames, locales, switchLocale } from '../../ui/locale.ts'

/** The languages, each in its own words. */
export function LanguageMenu() {
  const current = currentLocale()
  return (
    <Menu
      label={m.app_language({ language: localeNames[current] })}
      icon={Globe}
      look={{ variant: 'ghost' }}
      align="end"
      items={locales.map((locale) => ({
        key: locale,
        label: localeNames[locale],
        checked: locale === current,
        onSelect: () => void switchLocale(locale),
      }))}
    >
      {localeNames[current]}
    </Menu>
  )
}
