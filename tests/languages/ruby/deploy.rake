namespace :db do # DEFINES module db 1-10
  desc "Bring the tables up to date"
  task :migrate, [:step] => [:environment] do |_task, arguments| # DEFINES target db.migrate 2-5
    Migrator.new(arguments).run # REFERS new Migrator
  end

  task seed: :migrate do # DEFINES target db.seed 7-9  REFERS table migrate
    load_seeds # REFERS call load_seeds
  end
end

task "clean" # DEFINES target clean 12-12
task default: %w[db:migrate] # DEFINES target default 13-13
