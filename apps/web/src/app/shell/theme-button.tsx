import { Moon, Sun } from 'lucide-react'
import { m } from '../../paraglide/messages.js'
import { IconButton } from '../../ui/icon-button.tsx'
import { toggleTheme, useTheme } from '../../ui/theme.ts'

/** Light and dark; "as the system" is in the account menu. */
export function ThemeButton({ className }: { className?: string }) {
  const isDark = useTheme((theme) => theme.isDark)
  return (
    <IconButton
      icon={isDark ? Sun : Moon}
      label={isDark ? m.app_light_theme() : m.app_dark_theme()}
      onClick={toggleTheme}
      className={className}
    />
  )
}
