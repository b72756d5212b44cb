import type { ClerkProviderProps } from '@clerk/react/types'
import type { Locale } from '@tour-ops/contract/locales'

/** The service's widgets in our colors. They are variables of `ui/tokens.css`, so the dark theme comes by itself. */
export const clerkAppearance = {
  variables: {
    colorPrimary: 'var(--brand-strong)',
    colorPrimaryForeground: 'var(--on-brand)',
    colorForeground: 'var(--ink)',
    colorMutedForeground: 'var(--ink-2)',
    colorMuted: 'var(--surface-2)',
    colorNeutral: 'var(--ink-strong)',
    colorBackground: 'var(--surface)',
    colorInput: 'var(--surface)',
    colorInputForeground: 'var(--ink-strong)',
    colorBorder: 'var(--ctl)',
    colorDanger: 'var(--st-bad)',
    colorSuccess: 'var(--st-ok)',
    colorWarning: 'var(--st-warn)',
    colorModalBackdrop: 'var(--scrim)',
    fontFamily: 'inherit',
  },
} satisfies ClerkProviderProps['appearance']

/** The service's own texts in one of our languages; English is built in. */
export async function clerkTexts(locale: Locale): Promise<ClerkProviderProps['localization']> {
  if (locale === 'de') return (await import('@clerk/localizations/de-DE')).deDE
  if (locale === 'es') return (await import('@clerk/localizations/es-ES')).esES
  return undefined
}
