/** Addresses of the office that the guide's phone leads to. It is a program of its own, and carries no others. */
export const phonePaths = {
  overview: () => '/dashboard/overview',
  signIn: () => '/sign-in',
} as const
