import { BellRing, ChartNoAxesColumn, CircleUser, LogOut, Monitor, Moon, PanelLeft, PanelTop, Sun } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { askForConsent, useAnalyticsConsent } from '../analytics-consent.ts'
import { currentLocale, localeNames, locales, switchLocale } from '../../ui/locale.ts'
import { navigateTo } from '../../addresses/navigate-to.ts'
import { paths } from '../../addresses/paths.ts'
import { switchNavigationPlace, useNavigationInBar } from '../preferences.ts'
import { signOut } from '../../identity/sign-out.ts'
import { m } from '../../paraglide/messages.js'
import { Avatar } from '../../ui/avatar.tsx'
import { Menu, type MenuAction } from '../../ui/menu.tsx'
import { setTheme, useTheme, type ThemeChoice } from '../../ui/theme.ts'
import { useAuth } from '../../identity/access.ts'
import { serviceWidgets } from '../../identity/service-widgets.ts'

const UserProfile = lazy(async () => ({
  default: (await import('../../identity/widgets/user-profile.tsx')).UserProfile,
}))

const themes: readonly { choice: ThemeChoice; label: () => string; icon: typeof Sun }[] = [
  { choice: 'light', label: () => m.app_theme_light(), icon: Sun },
  { choice: 'dark', label: () => m.app_theme_dark(), icon: Moon },
  { choice: 'system', label: () => m.app_theme_system(), icon: Monitor },
]

/** The person's avatar with the account menu: profile, own notices, navigation, theme, language, sign-out. */
export function UserButton() {
  const { userName, userEmail, user, organization } = useAuth()
  const service = serviceWidgets()
  const [isProfileOpen, setProfileOpen] = useState(false)
  const theme = useTheme((state) => state.choice)
  const isInBar = useNavigationInBar()
  const isCountingOffered = useAnalyticsConsent((state) => state.isOffered)
  const items: MenuAction[] = [
    {
      key: 'profile',
      label: m.identity_profile(),
      icon: CircleUser,
      onSelect: () => (service ? service.openUserProfile() : setProfileOpen(true)),
    },
    ...(organization
      ? [
          {
            key: 'own-notifications',
            label: m.app_my_notifications(),
            icon: BellRing,
            onSelect: () => navigateTo(paths.settingsNotifications()),
          },
          {
            key: 'navigation',
            label: isInBar ? m.app_navigation_to_drawer() : m.app_navigation_to_bar(),
            icon: isInBar ? PanelLeft : PanelTop,
            onSelect: switchNavigationPlace,
          },
        ]
      : []),
    ...themes.map(({ choice, label, icon }, index) => ({
      key: `theme-${choice}`,
      label: label(),
      icon,
      checked: choice === theme,
      separated: index === 0,
      onSelect: () => setTheme(choice),
    })),
    ...locales.map((locale, index) => ({
      key: `locale-${locale}`,
      label: localeNames[locale],
      checked: locale === currentLocale(),
      separated: index === 0,
      onSelect: () => void switchLocale(locale),
    })),
    ...(isCountingOffered
      ? [
          {
            key: 'consent',
            label: m.app_consent(),
            icon: ChartNoAxesColumn,
            separated: true,
            onSelect: askForConsent,
          },
        ]
      : []),
    { key: 'sign-out', label: m.app_sign_out(), icon: LogOut, separated: true, onSelect: () => void signOut() },
  ]
  return (
    <>
      <Menu
        label={m.app_account({ name: userName ?? '' })}
        items={items}
        heading={userEmail ?? userName}
        align="end"
        width={240}
        look={{ variant: 'ghost' }}
        className="h-auto rounded-full border-0 p-0"
      >
        <span className="sr-only">{m.app_account({ name: userName ?? '' })}</span>
        <Avatar name={userName ?? '?'} size={34} tinted imageUrl={user?.imageUrl} />
      </Menu>
      {isProfileOpen && (
        <Suspense fallback={null}>
          <UserProfile onClose={() => setProfileOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
