const names = [
  'Maya Okafor',
  'Lena Brandt',
  'Jonas Seidel',
  'Aiko Nakamura',
  'Tariq Khan',
  'Ines Varga',
  'Rosa Müller',
];

/** Sample users of every hue. */
export const sampleUsers = names.map((name, index) => {
  const [firstName = '', lastName = ''] = name.split(' ');
  return {
    _id: `65f0c0ffee${index}0000000000${index}a`.padEnd(24, '0').slice(0, 24),
    firstName,
    lastName,
    email: `${firstName.toLowerCase()}@example.com`,
    role: index === 0 ? 'admin' : index < 3 ? 'project_manager' : 'member',
  };
});
