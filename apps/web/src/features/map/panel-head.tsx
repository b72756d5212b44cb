import { ArrowLeft } from 'lucide-react'
import type { ReactNode, Ref } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { IconButton } from '../../ui/icon-button.tsx'

interface PanelHeadProps {
  title: ReactNode
  backLabel: string
  onBack: () => void
  backRef?: Ref<HTMLButtonElement>
  className: string
  /** At the end of the line. */
  children?: ReactNode
}

/** The first line of what is shown instead of the day: the way back to it, and what this is. */
export const PanelHead = ({ title, backLabel, onBack, backRef, className, children }: PanelHeadProps) => (
  <div className={classNames('flex items-center gap-1', className)}>
    <IconButton label={backLabel} icon={ArrowLeft} className="rtl:-scale-x-100" onClick={onBack} ref={backRef} />
    <h1 className="min-w-0 flex-1 text-base font-semibold">{title}</h1>
    {children}
  </div>
)
