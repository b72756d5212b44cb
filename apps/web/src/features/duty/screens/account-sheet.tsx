import { LayoutDashboard, LogOut } from 'lucide-react'
import { useId, useState } from 'react'
import { phonePaths } from '../../../addresses/phone-paths.ts'
import { m } from '../../../paraglide/messages.js'
import { currentLocale, type Locale, localeNames, locales, switchLocale } from '../../../ui/locale.ts'
import { setTheme, type ThemeChoice, useTheme } from '../../../ui/theme.ts'
import { ConfirmSheet, Sheet } from '../components/sheet.tsx'
import { setSunlight, useSunlight } from '../components/sunlight.ts'
import { phone, usePhone, useWaiting } from '../store/phone.ts'
import type { ShownDay } from '../store/shown-day.ts'

const themes: Record<ThemeChoice, () => string> = {
  light: m.duty_theme_light,
  dark: m.duty_theme_dark,
  system: m.duty_theme_system,
}

/** Display, language, consent, the way to the dashboard, signing out. */
export function AccountSheet({ day, onClose }: { day: ShownDay; onClose: () => void }) {
  const choice = useTheme((state) => state.choice)
  const isSunlight = useSunlight((state) => state.isOn)
  const isLink = usePhone((state) => state.person === 'link')
  const [isLeaving, setLeaving] = useState(false)
  const waiting = useWaiting()
  const id = useId()
  if (isLeaving) {
    return (
      <ConfirmSheet
        title={m.duty_sign_out_title()}
        text={waiting > 0 ? m.duty_sign_out_waiting({ count: waiting }) : m.duty_sign_out_text()}
        confirm={m.duty_sign_out()}
        onClose={() => setLeaving(false)}
        onConfirm={() => {
          onClose()
          void phone().signOut()
        }}
      />
    )
  }
  return (
    <Sheet title={day.person.name} onClose={onClose}>
      <fieldset>
        <legend>{m.duty_theme()}</legend>
        <div className="duty-card duty-rows mt-1 overflow-hidden">
          {(Object.keys(themes) as ThemeChoice[]).map((theme) => (
            <label key={theme} className="duty-choice">
              <input type="radio" name={id} checked={choice === theme} onChange={() => setTheme(theme)} />
              {themes[theme]()}
            </label>
          ))}
          <label className="duty-choice">
            <input type="checkbox" checked={isSunlight} onChange={() => setSunlight(!isSunlight)} />
            <span>
              {m.duty_sunlight()}
              <span className="duty-small duty-quiet block">{m.duty_sunlight_text()}</span>
            </span>
          </label>
        </div>
      </fieldset>
      <div className="grid gap-1">
        <label htmlFor={`${id}-language`}>{m.duty_language()}</label>
        <select
          id={`${id}-language`}
          className="duty-field"
          value={currentLocale()}
          onChange={({ target }) => void switchLocale(target.value as Locale)}
        >
          {locales.map((locale) => (
            <option key={locale} value={locale} lang={locale}>
              {localeNames[locale]}
            </option>
          ))}
        </select>
      </div>
      {day.duty?.consent && (
        <button
          type="button"
          className="duty-btn"
          onClick={() => void phone().record({ kind: 'consent', agrees: false }).then(onClose)}
        >
          {m.duty_consent_withdraw()}
        </button>
      )}
      {!isLink && (
        <>
          <a href={phonePaths.overview()} className="duty-btn">
            <LayoutDashboard size={20} aria-hidden />
            {m.duty_to_dashboard()}
          </a>
          <button type="button" className="duty-btn" onClick={() => setLeaving(true)}>
            <LogOut size={20} aria-hidden />
            {m.duty_sign_out()}
          </button>
        </>
      )}
    </Sheet>
  )
}
