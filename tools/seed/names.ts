const toList = (text: string): readonly string[] => text.trim().split(/\s+/);

export const FIRST_NAMES = toList(`
  Anna Maria Thomas Michael Julia Peter Laura Daniel Sarah Martin Lisa Jan Sofia David Emma Lukas Nina Paul Elena Max Clara Tobias Ines Felix Marta
  Simon Eva Jonas Lea Marco Ida Oliver Nora Samuel Alice Victor Zoë Karim Amélie Bruno Chiara Emeka Freya Gustav Hanna Ivo Jana Kofi Léa Mikael
  Noah Olga Pablo Qing Rosa Stefan Tariq Ursula Vera Wanda Xenia Yusuf Zeynep Aiko Björn Céline Dmitri Esra Farid Greta Hugo Isla José Katja
  Liam Mei Nikola Otto Petra Rui Søren Tamara Umar Vito Willem Yara Zoltán`);

export const LAST_NAMES = toList(`
  Müller Smith Schmidt García Johnson Fischer Rossi Martin Nguyen Silva Weber Williams Meyer Wagner Brown Becker López Schulz Hoffmann Koch Jones
  Richter Klein Wolf Schröder Neumann Schwarz Zimmermann Braun Krüger Hofmann Hartmann Lange Werner Krause Lehmann Köhler Maier Walter Mayer Huber
  Kaiser Fuchs Peters Lang Scholz Möller Weiß Jung Hahn Keller Vogel Friedrich Günther Berger Winkler Lorenz Baumann Schuster Kraus Böhm Simon
  Franke Albrecht Winter Ludwig Martínez Sánchez Pérez Gómez Díaz Moreno Álvarez Romero Navarro Torres Ramos Gil Serrano Blanco Molina Castro Ortiz
  Rubio Sousa Santos Ferreira Pereira Oliveira Costa Rodrigues Martins Almeida Ribeiro Pinto Carvalho Teixeira Bianchi Ferrari Esposito Romano
  Colombo Ricci Marino Greco Conti Bruno Gallo Moretti Dubois Laurent Lefebvre Roux Fournier Girard Bonnet Dupont Lambert Fontaine Rousseau Nielsen
  Jensen Hansen Andersen Larsen Lindqvist Berg Johansson Karlsson Nilsson Eriksson Virtanen Korhonen Nowak Kowalski Wiśniewski Dąbrowski Novák
  Dvořák Svoboda Horváth Kovács Tóth Szabó Popescu Ionescu Petrov Ivanov Volkov Kaya Demir Yılmaz Şahin Khoury Haddad Mansour Okafor Adeyemi Mwangi
  Otieno Mensah Nakamura Tanaka Suzuki Kim Park Chen Wang Zhang Patel Singh Sharma Khan Ali Taylor Davies Evans Thomas Wilson Grant O'Brien Murphy
  Kelly Walsh McCarthy`);

export const DEPARTMENTS = toList(
  'Legal Support Security Data Facilities Procurement Research Operations Logistics Quality',
);
export const PLACES = toList(
  'Hamburg Berlin Lisbon Madrid Milan Lyon Prague Stockholm Leipzig Porto Leeds Aarhus Vienna Warsaw Toronto Nairobi',
);
export const ZONES = toList(
  'Europe/Berlin Europe/Lisbon Europe/Madrid Europe/Prague Europe/Stockholm America/Toronto Africa/Nairobi',
);

export const ADJECTIVES = toList(`
  New Mobile Internal Public European Quarterly Annual Digital Shared Central Green Secure Faster Simpler Regional Global Open Lean Modern Reliable`);
export const SUBJECTS = toList(`
  website shop onboarding handbook newsletter campaign warehouse invoicing payroll reporting search checkout intranet archive dashboard booking
  catalog training audit migration rebranding helpdesk analytics translation accessibility`);
export const VERBS = toList(
  'Write Review Plan Draft Test Fix Design Measure Discuss Publish Translate Prepare Collect Compare Clean',
);
