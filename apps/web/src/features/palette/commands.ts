import type { Permission } from '@tour-ops/contract/access'
import { CalendarPlus, LogOut, Moon, PanelTop, UserPlus, UsersRound, type LucideIcon } from 'lucide-react'
import { navigateTo } from '../../app/navigate-to.ts'
import { paths } from '../../app/paths.ts'
import { switchNavigationPlace } from '../../app/preferences.ts'
import { signOut } from '../../app/sign-out.ts'
import { m } from '../../paraglide/messages.js'
import type { PaletteItem } from '../../ui/command-palette.tsx'
import { toggleTheme } from '../../ui/theme.ts'

interface Command {
  readonly key: string
  readonly icon: LucideIcon
  readonly title: () => string
  readonly permission?: Permission
  readonly run: () => void
}

const commands: readonly Command[] = [
  {
    key: 'new-traveler',
    icon: UserPlus,
    title: () => m.app_command_new_traveler(),
    permission: 'travelers:manage',
    run: () => navigateTo(paths.travelerCreate()),
  },
  {
    key: 'new-tour',
    icon: CalendarPlus,
    title: () => m.app_command_new_tour(),
    permission: 'tours:manage',
    run: () => navigateTo(paths.tourConstructor()),
  },
  {
    key: 'new-staff',
    icon: UserPlus,
    title: () => m.app_command_new_staff(),
    permission: 'staff:manage',
    run: () => navigateTo(paths.fieldStaffCreate()),
  },
  {
    key: 'invite',
    icon: UsersRound,
    title: () => m.app_command_invite(),
    permission: 'members:manage',
    run: () => navigateTo(paths.userCreate()),
  },
  { key: 'theme', icon: Moon, title: () => m.app_command_theme(), run: toggleTheme },
  {
    key: 'navigation',
    icon: PanelTop,
    title: () => m.app_command_navigation(),
    run: switchNavigationPlace,
  },
  { key: 'sign-out', icon: LogOut, title: () => m.app_sign_out(), run: () => void signOut() },
]

/** Commands whose name contains the words; all of them behind a bare `>`, none before anything is typed. */
export const commandsFor = (words: string, can: (permission: Permission) => boolean, showAll: boolean): PaletteItem[] =>
  words === '' && !showAll
    ? []
    : commands
        .filter(({ permission, title }) => {
          const isAllowed = permission === undefined || can(permission)
          return isAllowed && title().toLocaleLowerCase().includes(words.toLocaleLowerCase())
        })
        .map(({ key, icon, title, run }) => ({ key, icon, title: title(), onSelect: run }))
