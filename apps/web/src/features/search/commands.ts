import type { Permission } from '@tour-ops/contract/identity/access'
import {
  BusFront,
  CalendarPlus,
  ClipboardCheck,
  LogOut,
  Moon,
  PanelTop,
  Ticket,
  UserPlus,
  UsersRound,
  type LucideIcon,
} from 'lucide-react'
import { askForDialog } from '../../records/drawer-request.ts'
import { navigateTo } from '../../addresses/navigate-to.ts'
import { paths, withRecord } from '../../addresses/paths.ts'
import { switchNavigationPlace } from '../../app/preferences.ts'
import { signOut } from '../../identity/sign-out.ts'
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
    key: 'new-booking',
    icon: Ticket,
    title: () => m.bookings_new(),
    permission: 'bookings:manage',
    run: () => navigateTo(paths.newBooking()),
  },
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

/** What can be done with a departure; the words after its name look for one. */
export interface DepartureCommand {
  readonly key: string
  readonly icon: LucideIcon
  /** Ends where the departure's name follows: "Assign guide to". */
  readonly title: () => string
  readonly permission: Permission
  readonly run: (departureId: string) => void
}

const openTab = (departureId: string, tab: string): void =>
  navigateTo(`${withRecord(location.pathname, 'departure', departureId)}&tab=${tab}`)

const departureCommands: readonly DepartureCommand[] = [
  {
    key: 'assign-guide',
    icon: UserPlus,
    title: () => m.app_command_assign_guide(),
    permission: 'departures:dispatch',
    run: (id) => {
      askForDialog(id, 'assign')
      openTab(id, 'crew')
    },
  },
  {
    key: 'assign-vehicle',
    icon: BusFront,
    title: () => m.app_command_assign_vehicle(),
    permission: 'departures:dispatch',
    run: (id) => {
      askForDialog(id, 'vehicle')
      openTab(id, 'crew')
    },
  },
  {
    key: 'check-in',
    icon: ClipboardCheck,
    title: () => m.app_command_check_in(),
    permission: 'checkin:write',
    run: (id) => openTab(id, 'manifest'),
  },
]

/** The command of a departure that is being typed, and what was typed after it: "assign guide to gold" asks for `gold`. */
export function departureCommandFor(
  words: string,
  can: (permission: Permission) => boolean,
): { command: DepartureCommand; rest: string } | null {
  const typed = words.toLocaleLowerCase()
  const fitting = departureCommands
    .filter(({ permission }) => can(permission))
    .map((command) => ({ command, title: command.title().toLocaleLowerCase() }))
  const whole = fitting.find(({ title }) => typed.startsWith(title))
  if (whole) return { command: whole.command, rest: words.slice(whole.title.length).trim() }
  // Three letters, so that a name that begins like a command is not read as one.
  const begun = typed.length >= 3 && fitting.find(({ title }) => title.startsWith(typed))
  return begun ? { command: begun.command, rest: '' } : null
}
