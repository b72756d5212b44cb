/** The product's sign: a route on the brand orange. Decorative; the name is next to it. */
export function Mark({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 28 28" aria-hidden className="shrink-0">
      <rect width="28" height="28" rx="8" fill="#FF4B00" />
      <path d="M7 19c4 0 3-10 7-10s3 10 7 10" fill="none" stroke="#fff" strokeWidth="2.6" strokeLinecap="round" />
    </svg>
  )
}
